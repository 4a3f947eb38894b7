import { listExamples, siteMethods } from '../../../dev/docs/contract';
import { findTypeErrors } from '../../support/type-check';

const head = "import type { Answers } from 'tollkeeper-snap/provider';";

/** Methods without a type, because they return a node's or a document's content, or nothing. */
const UNTYPED = [
  'eth_sign',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getUncleByBlockHashAndIndex',
  'rollup_estimateGas',
  'tollkeeper_getPermissions',
  'rpc.discover',
];

it('the types of answers cover every dapp method, and match the examples of the reference', () => {
  const typed = siteMethods.filter(({ name }) => !UNTYPED.includes(name));
  expect(typed.length).toBeGreaterThan(30);
  const programs = Object.fromEntries(
    typed.map((method) => [
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
