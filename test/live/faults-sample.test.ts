// The flows that faults.test.ts leaves out, with one fault at each call. `npm run faults` plays all
// faults.
import { operationFlows, otherFlows } from '../../dev/faults/flows';
import { startOperationGround } from '../../dev/faults/servers';
import { testSample } from '../support/disturb';

describe('a flow of accounts and wallets', () => {
  testSample(otherFlows);
});

describe('a flow of smart accounts', () => {
  testSample(operationFlows, startOperationGround);
});
