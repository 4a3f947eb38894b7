// Every other flow, each call of which goes wrong in one way; `npm run faults` plays all ways.
import { operationFlows, otherFlows } from '../../dev/faults/flows';
import { startOperationGround } from '../../dev/faults/servers';
import { testSample } from '../support/disturb';

describe('what accounts and wallets do', () => {
  testSample(otherFlows);
});

describe('what smart accounts send', () => {
  testSample(operationFlows, startOperationGround);
});
