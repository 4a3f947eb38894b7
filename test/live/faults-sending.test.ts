// Sending a transaction while each call of the snap fails, hangs, is done twice, or is the
// last that its worker makes: see docs/faults.md.
import { mainFlows } from '../../dev/faults/flows';
import { testWholly } from '../support/fault-page';

testWholly(mainFlows.slice(0, 1));
