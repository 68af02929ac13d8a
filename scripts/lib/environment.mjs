/**
 * Returns the environment for programs started here. npm passes its own settings down as variables, which would
 * override the `.npmrc` of an npm started here, and a user's n8n settings must not leak into the demo.
 */
export function cleanEnvironment(extra = {}) {
	const own = Object.entries(process.env).filter(
		([name]) =>
			!/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEB_DATA_SERVICE_|npm_(package|lifecycle|config_(?!cache|registry|userconfig|globalconfig|https?_proxy|proxy|noproxy))|NODE_OPTIONS$|NODE_ENV$)/i.test(
				name,
			),
	);
	return { ...Object.fromEntries(own), ...extra };
}
