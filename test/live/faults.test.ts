// Sending a transaction, accounts that come and go, and requests that wait, while each call
// of the snap fails, hangs, is done twice, or is the last that its worker makes.
import { mainFlows } from '../../dev/faults/flows';
import { testWholly } from '../support/disturb';

testWholly(mainFlows);
