import { linesField } from '../form/controls';

export const includeTags = linesField('includeTags', 'Include Tags', {
	example: 'article',
	description: 'HTML tags, classes or IDs to keep',
});

export const excludeTags = linesField('excludeTags', 'Exclude Tags', {
	example: '.comments',
	description: 'HTML tags, classes or IDs to leave out',
});
