import { writePolicy } from '../../../dev/build/policy';

it('lets the page run its own files alone, and talk to the servers named', () => {
  expect(writePolicy(['https://gas.example', 'ws://127.0.0.1:*'])).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      "connect-src 'self' https://gas.example ws://127.0.0.1:*; base-uri 'none'; " +
      "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
});

it.each([
  "https://a.example; script-src 'unsafe-inline'",
  'https://a.example/path',
  '*',
])('refuses what is no origin: %s', (origin) => {
  expect(() => writePolicy([origin])).toThrow(
    `${JSON.stringify(origin)} is no origin such as https://gas.example or ` +
      'wss://node.example:8546.',
  );
});
