import {
	booleanField,
	choiceField,
	collectionField,
	linesField,
	textField,
	wholeNumberField,
} from '../form/controls';
import { PRICES, credits } from './prices';

/** Switch that makes the service keep nothing. Like everything in this file, it must be enabled for the team. */
export const zeroDataRetention = booleanField('zeroDataRetention', 'Zero Data Retention', {
	description: `Whether the service keeps no data; ${credits(PRICES.zeroDataRetention, 'more ')} per page. Must be enabled for your team. Newer services only.`,
});

/** The user named in the team's security log. */
export const auditUsername = textField('auditUsername', 'Audit Username', {
	placeholder: 'e.g. jane@example.com',
	description: "The user in your organization's security log. Newer services only.",
	wire: { as: 'auditMetadata.username', maxLength: 1024 },
});

export const threatProtection = collectionField('threatProtection', 'Threat Protection', {
	placeholder: 'Add Rule',
	description:
		"Sites not to open, in place of your organization's rules. Checks each result of a search or list. Must be enabled for your team. Newer services only.",
	options: [
		choiceField('mode', 'Mode', {
			description: 'How to check URLs',
			default: 'normal',
			choices: [
				['normal', 'Normal', `${credits(PRICES.threatCheck, 'more ')} per URL checked`],
				[
					'manual-only',
					'Lists Only',
					'Only the lists below; no extra cost. Not every service takes it.',
				],
				['zscaler', 'Zscaler', "Your organization's Zscaler decides; no extra cost"],
				['off', 'Off'],
			],
			wire: { open: true },
		}),
		wholeNumberField('riskScoreThreshold', 'Risk Score Threshold', {
			default: 75,
			minValue: 0,
			maxValue: 100,
			description: 'Block URLs with this score or more',
		}),
		linesField('blacklist', 'Blocked Domains', {
			example: '*.example.com',
		}),
		linesField('whitelist', 'Allowed Domains', {
			example: 'example.com',
			description: 'Allow these, whatever the other rules say',
		}),
		linesField('blockedTlds', 'Blocked Endings', {
			example: 'zip',
			description: 'Endings of domains, without the dot',
		}),
		choiceField('failurePolicy', 'If the Check Fails', {
			description: 'What to do with the URL',
			default: 'closed',
			choices: [
				['open', 'Allow'],
				['closed', 'Block'],
			],
		}),
	],
});
