import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './paths.mjs';

const HOOK = `#!/bin/sh
# Made by scripts/lib/hooks.mjs. Looks at the staged files only; \`git commit --no-verify\` leaves it out.
exec npx --no-install lint-staged
`;

/**
 * Installs a pre-commit hook in the checkout, unless there is one already, the checkout is a worktree of another, or
 * this is CI.
 */
export function ensureHooks(root = ROOT) {
	if (process.env.CI) return;
	const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim();
	const [folder, common] = ['--git-dir', '--git-common-dir'].map((flag) => git('rev-parse', flag));
	if (!folder || folder !== common || git('config', 'core.hooksPath')) return;
	const hooks = resolve(root, folder, 'hooks');
	const file = join(hooks, 'pre-commit');
	if (existsSync(file)) return;
	mkdirSync(hooks, { recursive: true });
	writeFileSync(file, HOOK);
	chmodSync(file, 0o755);
}
