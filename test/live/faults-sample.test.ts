// The flows that faults.test.ts leaves out, with one fault at each call. `npm run faults` plays all
// faults.
import { operationFlows, otherFlows } from '../../dev/faults/flows';
import { startOperationGround } from '../../dev/faults/servers';
import { testSample } from '../support/disturb';

describe('flows of accounts and wallets', () => {
  testSample(otherFlows);
});

describe('flows of smart accounts', () => {
  testSample(operationFlows, startOperationGround);
});
