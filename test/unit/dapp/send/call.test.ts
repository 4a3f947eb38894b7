import {
  emptyCall,
  findProblems,
  isSound,
  toCall,
} from '../../../../dev/dapp/send/call';

const to = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

it('writes a call: wei in hex, no data as 0x', () => {
  const typed = { to: ` ${to} `, amount: ' 1.5 ', data: '' };
  expect(findProblems(typed)).toStrictEqual({});
  expect(toCall(typed)).toStrictEqual({ to, value: '0x14d1120d7b160000', data: '0x' });
  expect(toCall({ ...typed, data: '0x01' }).data).toBe('0x01');
});

it.each([
  ['to', '0x12'],
  ['to', to.replace('f39F', 'F39f')],
  ['amount', ''],
  ['amount', '-1'],
  ['amount', '1,5'],
  ['amount', '1e18'],
  ['amount', '0.0000000000000000001'],
  ['data', '12'],
  ['data', '0x1'],
])('finds what is wrong with %s: %s', (field, value) => {
  const problems = findProblems({ ...emptyCall(to), [field]: value });
  expect(Object.keys(problems)).toStrictEqual([field]);
  expect(isSound(problems)).toBe(false);
});
