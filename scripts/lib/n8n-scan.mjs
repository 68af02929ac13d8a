import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ROOT } from './paths.mjs';

const PACKAGE_FILES = ['**/*.js', 'package.json'];

const findings = ({ passed, message, details }) => (passed ? '' : (details ?? message).trim());

/**
 * Returns what n8n's verification would find in the sources: `nodes/`, `credentials/` and `package.json`, with inline
 * disables switched off. Empty if it would pass.
 */
export const scanSource = async () => findings(await analyzePackage(ROOT, SOURCE_FILE_PATTERNS));

/** Does the same for the package as it is published, unpacked in `folder`. */
export const scanPackage = async (folder) => findings(await analyzePackage(folder, PACKAGE_FILES));
