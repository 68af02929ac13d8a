import type { IDataObject } from 'n8n-workflow';

/** The fields of a kind of page, as a ready-made list. */
export interface FieldList {
	name: string;
	/** Schemas of the fields by their names, at most a dozen. */
	fields: Record<string, IDataObject>;
	/** Name of the list whose entries are the results. */
	entries?: string;
}

const described = (type: string, description?: string): IDataObject => ({
	type,
	...(description !== undefined && { description }),
});
const text = (description?: string) => described('string', description);
const number = (description?: string) => described('number', description);
const whole = (description?: string) => described('integer', description);
const flag = (description?: string) => described('boolean', description);
const texts = (description?: string) => ({ ...described('array', description), items: text() });

/** Returns the schema of a list of objects with these fields. */
const list = (properties: Record<string, IDataObject>): IDataObject => ({
	type: 'array',
	items: { type: 'object', properties },
});

const day = (what: string) => text(`${what}, as YYYY-MM-DD`);
const currency = text('ISO 4217 code, e.g. EUR');

/** Lists to start from, by the values of their choices; users can add rows, replace fields, or leave some out. */
export const FIELD_LISTS: Record<string, FieldList> = {
	product: {
		name: 'Product Details',
		fields: {
			name: text(),
			brand: text(),
			price: number('Current price, without the currency'),
			currency,
			oldPrice: number('Price before a discount, if there is one'),
			availability: text('e.g. in stock, sold out, in 3 days'),
			sku: text('Article number'),
			rating: number('Average rating'),
			reviewCount: whole(),
			category: text(),
			description: text('One or two sentences'),
			imageUrl: text('URL of the main image'),
		},
	},
	products: {
		name: 'Products of a List',
		entries: 'products',
		fields: {
			products: list({
				name: text(),
				price: number('Current price, without the currency'),
				currency,
				availability: text('e.g. in stock, sold out'),
				rating: number('Average rating'),
				productUrl: text("URL of the product's own page"),
				imageUrl: text('URL of its image'),
			}),
		},
	},
	article: {
		name: 'Article',
		fields: {
			title: text(),
			author: text(),
			publishedOn: day('When it was published'),
			updatedOn: day('When it was last changed'),
			section: text(),
			summary: text('Two or three sentences'),
			mainPoints: texts(),
			topics: texts(),
			language: text('Code, e.g. en'),
			imageUrl: text('URL of the main image'),
		},
	},
	company: {
		name: 'Company and Contact',
		fields: {
			name: text(),
			description: text('What it does, in a sentence'),
			industry: text(),
			products: texts('Main products and services'),
			email: text(),
			phone: text(),
			address: text(),
			country: text(),
			contactNames: texts('People, with their roles'),
			socialLinks: texts('URLs of its profiles'),
			foundedIn: whole('Year'),
			employees: text('Number, or a range'),
		},
	},
	job: {
		name: 'Job Posting',
		fields: {
			title: text(),
			company: text(),
			location: text(),
			isRemote: flag(),
			employmentType: text('e.g. full time'),
			salary: text('As written, with currency and period'),
			postedOn: day('When it was posted'),
			applyBy: day('Last day to apply'),
			requirements: texts(),
			benefits: texts(),
			applyUrl: text('URL to apply at'),
			contact: text('Name, email or phone'),
		},
	},
	event: {
		name: 'Event',
		fields: {
			name: text(),
			startsAt: text('As YYYY-MM-DD, with the time if known'),
			endsAt: text('As YYYY-MM-DD, with the time if known'),
			venue: text(),
			address: text(),
			isOnline: flag(),
			price: text('As written'),
			organizer: text(),
			speakers: texts('Speakers or performers'),
			description: text('One or two sentences'),
			ticketUrl: text('URL of the tickets'),
		},
	},
	realEstate: {
		name: 'Real Estate',
		fields: {
			title: text(),
			price: number('Price, or rent per month, without the currency'),
			currency,
			isForRent: flag(),
			propertyType: text('e.g. apartment'),
			address: text(),
			rooms: number(),
			bedrooms: whole(),
			livingArea: text('With its unit'),
			yearBuilt: whole(),
			features: texts('e.g. balcony, garden'),
			contact: text('Agent or owner, with phone or email'),
		},
	},
	recipe: {
		name: 'Recipe',
		fields: {
			name: text(),
			description: text('One sentence'),
			ingredients: texts('Each with its amount'),
			steps: texts(),
			servings: whole(),
			prepMinutes: whole(),
			cookMinutes: whole(),
			calories: number('Per serving'),
			cuisine: text(),
			diets: texts('e.g. vegan'),
			rating: number('Average rating'),
			imageUrl: text('URL of the main image'),
		},
	},
	reviews: {
		name: 'Reviews',
		entries: 'reviews',
		fields: {
			subject: text('What is reviewed'),
			averageRating: number(),
			reviewCount: whole(),
			reviews: list({
				author: text(),
				rating: number(),
				date: day('When it was written'),
				title: text(),
				text: text(),
			}),
			praised: texts('What reviewers like'),
			criticized: texts('What reviewers dislike'),
		},
	},
};
