/**
 * Records this version of the package. Not part of the tests: `npm run upgrade:freeze`, a step of every release, runs
 * it. It fails where the version is frozen already: a record is never edited.
 */
import { version } from '../../package.json';
import { ContractService } from '../support/contractService';
import { record, save } from './frozen';

it('freezes what workflows saved with this version send and get', async () => {
	const service = await new ContractService().start();
	save(version, await record(service));
	await service.stop();
}, 900_000);
