// Jest's runner without the values of failed assertions. A worker cannot send a bigint or a
// circular object as JSON, and would report that error instead of the failure. The failure's
// message is text and remains.
import runTests from 'jest-circus/runner';

const withoutValues = (result) => ({ ...result, failureDetails: [] });

export default function run(...args) {
  const send = args.pop();
  const sendText = (event, [path, result]) =>
    send(event, [path, withoutValues(result)]);
  return runTests(...args, sendText).then(({ testResults, ...others }) => ({
    ...others,
    testResults: testResults.map(withoutValues),
  }));
}
