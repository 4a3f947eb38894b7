// Accounts that come and go, and requests that wait, while each call of the snap goes wrong:
// see docs/faults.md.
import { mainFlows } from '../../dev/faults/flows';
import { testWholly } from '../support/fault-page';

testWholly(mainFlows.slice(1));
