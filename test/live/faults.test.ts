// Flows of transactions, accounts and pending requests, in which each call of the snap fails,
// hangs, is repeated, or is its worker's last one.
import { mainFlows } from '../../dev/faults/flows';
import { testWholly } from '../support/disturb';

testWholly(mainFlows);
