// Every other flow, each call of which goes wrong in one way: see docs/faults.md.
import { otherFlows } from '../../dev/faults/flows';
import { testSample } from '../support/fault-page';

testSample(otherFlows);
