import { linesField, wholeNumberField } from '../form/controls';
import type { Field } from '../form/field';
import { domains, words } from '../form/values';

/** Keeps nothing at the service. A team has to have it enabled, like everything in this file. */
export const zeroDataRetention: Field<boolean> = {
	displayName: 'Zero Data Retention',
	name: 'zeroDataRetention',
	type: 'boolean',
	default: true,
	description:
		'Whether to have the service keep no data of the pages; 1 more credit per page. Must be enabled for your team. Newer services only.',
};

/** Names the user for the team's security log. */
export const auditUsername: Field<string> = {
	displayName: 'Audit Username',
	name: 'auditUsername',
	type: 'string',
	default: '',
	placeholder: 'e.g. jane@example.com',
	description: "The user to name in your organization's security log. Newer services only.",
	wire: { mayBeEmpty: true, as: 'auditMetadata.username', maxLength: 1024 },
};

export const threatProtection: Field = {
	displayName: 'Threat Protection',
	name: 'threatProtection',
	type: 'collection',
	default: {},
	placeholder: 'Add Rule',
	description:
		"Rules for dangerous URLs, in place of your organization's. Must be enabled for your team. Newer services only.",
	options: [
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			default: 'normal',
			description: 'Whether to check URLs before opening them',
			options: [
				{ name: 'Normal', value: 'normal', description: '2 more credits per URL checked' },
				{
					name: 'Lists Only',
					value: 'manual-only',
					description: 'Only the lists of domains below count; no extra cost',
				},
				{
					name: 'Zscaler',
					value: 'zscaler',
					description: "Your organization's Zscaler decides; no extra cost",
				},
				{ name: 'Off', value: 'off' },
			],
			wire: { open: true },
		},
		wholeNumberField({
			displayName: 'Risk Score Threshold',
			name: 'riskScoreThreshold',
			default: 75,
			minValue: 0,
			maxValue: 100,
			description: 'Block URLs with this risk score or more, 0 to 100; lower is stricter',
		}),
		linesField({
			displayName: 'Blocked Domains',
			name: 'blacklist',
			example: '*.example.com',
			description: 'Always block these domains',
			wire: { value: domains },
		}),
		linesField({
			displayName: 'Allowed Domains',
			name: 'whitelist',
			example: 'example.com',
			description: 'Always allow these domains, whatever the other rules say',
			wire: { value: domains },
		}),
		linesField({
			displayName: 'Blocked Endings',
			name: 'blockedTlds',
			example: 'zip',
			description: 'Block all domains with these endings, written without the dot',
			wire: { value: words },
		}),
		{
			displayName: 'If the Check Fails',
			name: 'failurePolicy',
			type: 'options',
			default: 'closed',
			description: 'What to do with a URL that could not be checked',
			options: [
				{ name: 'Allow', value: 'open' },
				{ name: 'Block', value: 'closed' },
			],
		},
	],
};
