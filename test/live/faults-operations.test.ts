// A smart account's user operations and calls, each call of the snap for which goes wrong in
// one way: see docs/faults.md.
import { operationFlows } from '../../dev/faults/flows';
import { startOperationGround } from '../../dev/faults/servers';
import { testSample } from '../support/fault-page';

testSample(operationFlows, startOperationGround);
