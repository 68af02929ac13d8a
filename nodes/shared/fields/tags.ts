import { linesField } from '../form/controls';

export const includeTags = linesField('includeTags', 'Include Tags', {
	example: 'article',
	description: 'Keep only these HTML tags, classes or IDs',
});

export const excludeTags = linesField('excludeTags', 'Exclude Tags', {
	example: '.comments',
	description: 'Leave out these HTML tags, classes or IDs',
});
