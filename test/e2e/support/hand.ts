import type { Locator, Page } from 'playwright-core';

/** A person's actions in n8n's editor, counted: clicks, and fields that are typed or dropped into. */
export class Hand {
	clicks = 0;

	fields = 0;

	constructor(readonly page: Page) {}

	async click(what: Locator): Promise<void> {
		this.clicks += 1;
		await what.first().click();
	}

	/** Clicks on an entry of the node panel. */
	async pick(text: string | RegExp): Promise<void> {
		await this.click(this.page.getByTestId('node-creator').getByText(text, { exact: true }));
	}

	/** Clicks on a button of the form. */
	async press(text: string): Promise<void> {
		await this.click(this.page.getByText(text, { exact: true }));
	}

	/** Shows the form's field `name`, or the `n`th one of this name. */
	field(name: string, n = 0): Locator {
		return this.page.getByTestId(`parameter-input-${name}`).nth(n);
	}

	/** Types into a field, which takes one click that isn't counted. */
	async type(name: string, text: string, n = 0): Promise<void> {
		this.fields += 1;
		const input = this.field(name, n).locator('input, textarea, .cm-content');
		await input.first().fill(text);
	}

	/** Opens a dropdown and chooses from it. */
	async choose(name: string, choice: string, n = 0): Promise<void> {
		await this.click(this.field(name, n).locator('.el-select'));
		await this.click(await this.choice(name, choice, n));
	}

	/** Shows a choice of a dropdown that is open; its text begins with its name. */
	async choice(name: string, choice: string, n = 0): Promise<Locator> {
		const box = this.field(name, n).locator('[aria-controls]').first();
		const choices = this.page.locator(`[id="${await box.getAttribute('aria-controls')}"] > *`);
		const literal = choice.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		return choices.filter({ hasText: new RegExp(`^\\s*${literal}`) });
	}

	/** Drags a field of the input, as the schema view shows it, onto a field of the form. */
	async drop(field: string, name: string): Promise<void> {
		this.fields += 1;
		const { mouse } = this.page;
		const pill = this.page.locator(`[data-target="mappable"][data-name="${field}"]`).first();
		const from = await pill.boundingBox();
		const to = await this.field(name).boundingBox();
		if (!from || !to) throw new Error(`${field} or ${name} isn't seen`);
		await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await mouse.down();
		// n8n shows where it can be dropped once it moves.
		await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 10 });
		await mouse.up();
		await this.field(name).getByText(`$json.${field}`).first().waitFor();
		// n8n accepts it a moment later.
		await this.page.waitForTimeout(500);
	}
}
