import { nameChain, shorten, toEther, toShownGwei } from '../../../dev/dapp/format';

it.each([
  ['0x7a28b5ba57c53603b0b07b56bba752f7784bf506', '0x7a28…f506'],
  ['0x7a28', '0x7a28'],
])('shortens %s to %s', (hex, expected) => {
  expect(shorten(hex)).toBe(expected);
});

it.each([
  ['0x1', 'Ethereum'],
  ['eip155:11155111', 'Sepolia'],
  ['eip155:12345', 'Chain 12345'],
])('names %s %s', (chain, expected) => {
  expect(nameChain(chain)).toBe(expected);
});

it('cuts decimals, and the zeros at their end', () => {
  expect(toEther(1_500_000_000_000_000_001n)).toBe('1.5');
  expect(toEther(999_999_999_999_999_999n)).toBe('0.9999');
  expect(toShownGwei(2_236_999_999n)).toBe('2.236');
  expect(toShownGwei(7n, 9)).toBe('0.000000007');
});
