import { judge } from '../../../dev/clear-signing/judge';
import type { Expected } from '../../../dev/clear-signing/judge';

const swap: Expected = {
  intent: 'Swap',
  owner: '1inch Network',
  fields: [
    { label: 'Amount to Send', value: '4303.5 $MBG' },
    { label: 'Valid until', value: '2026-04-21 02:40:00Z' },
    { label: 'Beneficiary', value: '0x4E367B26d93bCB5E539b2784714f17804959f54f' },
  ],
};

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

const shown = [
  'Swap',
  'Contract of',
  '1inch Network',
  'Amount to Send',
  '4,303.5 $MBG',
  'Valid until',
  `${date.format(Date.UTC(2026, 3, 21, 2, 40))} (in 3 days)`,
  'Beneficiary',
  'eip155:1:0x4e367b26d93bcb5e539b2784714f17804959f54f',
];

const without = (line: string): string =>
  shown.map((each) => (each === line ? '' : each)).join('\n');

it('accepts values that the dialog formats differently', () => {
  expect(judge(shown.join('\n'), swap)).toStrictEqual([]);
});

it.each([
  ['Swap', 'intent', 'Swap'],
  ['1inch Network', 'owner', '1inch Network'],
  ['Valid until', 'label', 'Valid until'],
  ['4,303.5 $MBG', 'value', 'Amount to Send: 4303.5 $MBG'],
])('reports a missing line: %s', (line, what, text) => {
  expect(judge(without(line), swap)).toStrictEqual([{ what, text }]);
});

it.each(['14303.5 $MBG', '4303.51 $MBG', '4303.5 $MBGX', '0.4303.5 $MBG'])(
  'rejects a different amount: %s',
  (other) => {
    const text = shown.join('\n').replace('4,303.5 $MBG', other);
    expect(judge(text, swap)).toHaveLength(1);
  },
);

it('requires a value below its label', () => {
  const lines = shown.filter((line) => line !== '4,303.5 $MBG');
  expect(judge(['4,303.5 $MBG', ...lines].join('\n'), swap)).toStrictEqual([
    { what: 'value', text: 'Amount to Send: 4303.5 $MBG' },
  ]);
});

it('finds long numbers and bytes among the arguments, but ignores the raw request', () => {
  const value = '8262522497866777030611';
  const expected = { intent: 'Send', fields: [{ label: 'Amount', value }] };
  const text = 'Send\nAmount\n8,262.5 WCT\nTo\nBob\nNote\nHello\nAll fields';
  expect(judge(`${text}\namount\n${value}`, expected)).toStrictEqual([]);
  expect(judge(`${text}\n{"type":"0x2","value":"${value}"}`, expected)).toHaveLength(1);
});

it('requires a value for every field with the same label', () => {
  const fields = ['7', '8', '7'].map((value) => ({ label: 'Id', value }));
  const expected = { intent: 'Burn', fields };
  expect(judge('Burn\nId\n7\nId 2\n8\nId 3\n7', expected)).toStrictEqual([]);
  expect(judge('Burn\nId\n7\nId 2\n8', expected)).toStrictEqual([
    { what: 'value', text: 'Id: 7' },
  ]);
});

it('checks the fields of a nested call', () => {
  const inner = { intent: 'Setup', fields: [{ label: 'Module', value: '0x01' }] };
  const expected = { intent: 'Call', fields: [{ label: 'Data', value: inner }] };
  expect(judge('Call\nData\nSetup\nModule\n0x01', expected)).toStrictEqual([]);
  expect(judge('Call\nData\nSetup\nModule\n0x02', expected)).toStrictEqual([
    { what: 'value', text: 'Module: 0x01' },
  ]);
});

it.each(['0x1111111111111111111111111111111111111111', 'Sender'])(
  "accepts our account in place of the case's signer: %s",
  (value) => {
    const from = '0x1111111111111111111111111111111111111111';
    const own = '0x2222222222222222222222222222222222222222';
    const expected = { intent: 'Send', fields: [{ label: 'To', value }] };
    expect(judge(`Send\nTo\n${own}`, expected, { own, from })).toStrictEqual([]);
    expect(judge(`Send\nTo\n${own}`, expected)).toHaveLength(1);
  },
);
