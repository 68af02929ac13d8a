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
	default: true,
	description: `Whether to have the service keep no data about the pages; ${credits(PRICES.zeroDataRetention, 'more ')} per page. Must be enabled for your team. Newer services only.`,
});

/** The user named in the team's security log. */
export const auditUsername = textField('auditUsername', 'Audit Username', {
	placeholder: 'e.g. jane@example.com',
	description: "The user to name in your organization's security log. Newer services only.",
	wire: { as: 'auditMetadata.username', maxLength: 1024 },
});

export const threatProtection = collectionField('threatProtection', 'Threat Protection', {
	placeholder: 'Add Rule',
	description:
		"Which dangerous sites not to open, in place of your organization's rules. A search or a list of pages has each result checked. Must be enabled for your team. Newer services only.",
	options: [
		choiceField('mode', 'Mode', {
			default: 'normal',
			description: 'How to check URLs before opening them',
			choices: [
				['normal', 'Normal', `${credits(PRICES.threatCheck, 'more ')} per URL checked`],
				[
					'manual-only',
					'Lists Only',
					'Only the lists of domains below count; no extra cost. Not every service takes it.',
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
			description: 'Block URLs with this risk score or more; lower is stricter',
		}),
		linesField('blacklist', 'Blocked Domains', {
			example: '*.example.com',
			description: 'Always block these domains',
		}),
		linesField('whitelist', 'Allowed Domains', {
			example: 'example.com',
			description: 'Always allow these domains, whatever the other rules say',
		}),
		linesField('blockedTlds', 'Blocked Endings', {
			example: 'zip',
			description: 'Block all domains with these endings, written without the dot',
		}),
		choiceField('failurePolicy', 'If the Check Fails', {
			default: 'closed',
			description: 'What to do with a URL that could not be checked',
			choices: [
				['open', 'Allow'],
				['closed', 'Block'],
			],
		}),
	],
});
