// The types of answers: of every method that dapps have, and what the reference shows.
import { listExamples, siteMethods } from '../../../dev/docs/contract';
import { findTypeErrors } from '../../support/type-check';

const head = "import type { Answers } from 'tollkeeper-snap/provider';";

/** Methods that answer what a node or a document says, or nothing at all. */
const OTHERS = [
  'eth_sign',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleByBlockHashAndIndex',
  'rollup_estimateGas',
  'tollkeeper_getPermissions',
  'rpc.discover',
];

it('cover every dapp method, and match the examples of the reference', () => {
  const named = siteMethods.filter(({ name }) => !OTHERS.includes(name));
  expect(named.length).toBeGreaterThan(30);
  const programs = Object.fromEntries(
    named.map((method) => [
      `answer-${method.name}`,
      `${head} export const answers: Answers['${method.name}'][] = [${listExamples(
        method,
      )
        .map(({ result }) => JSON.stringify(result))
        .join(', ')}];`,
    ]),
  );
  expect(findTypeErrors(programs)).toStrictEqual([]);
});
