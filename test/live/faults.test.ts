// Flows of transactions, accounts and pending requests, in which each call that the snap makes
// fails, hangs, is repeated, or is the last one before its worker stops.
import { mainFlows } from '../../dev/faults/flows';
import { testAllFaults } from '../support/disturb';

testAllFaults(mainFlows);
