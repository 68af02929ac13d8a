/**
 * The plain loop as a node, so that it can be measured in n8n's own process: with a larger heap, and with n8n working
 * alongside.
 */
class PlainLoop {
	description = {
		displayName: 'Plain Loop',
		name: 'plainLoop',
		group: ['input'],
		version: 1,
		description: 'All pages of a crawl with fetch and JSON.parse',
		defaults: { name: 'Plain Loop' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'API Key', name: 'apiKey', type: 'string', default: '' },
		],
	};

	async execute() {
		const { pagesInALoop } = await import('./pages.mjs');
		const text = (name) => this.getNodeParameter(name, 0);
		const pages = await pagesInALoop(text('url'), text('apiKey'));
		return [pages.map((json) => ({ json }))];
	}
}

module.exports = { PlainLoop };
