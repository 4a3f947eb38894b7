// Every other flow, each call of which goes wrong in one way; `npm run faults` plays all ways.
import { operationFlows, otherFlows } from '../../dev/faults/flows';
import { startOperationGround } from '../../dev/faults/servers';
import { testSample } from '../support/disturb';

describe('flows of accounts and wallets', () => {
  testSample(otherFlows);
});

describe('flows of smart accounts', () => {
  testSample(operationFlows, startOperationGround);
});
