import { getContractAddress } from 'viem';
import type { Hex } from 'viem';

import { computeDeployment } from '../../../src/eth/account-calls';
import { DETERMINISTIC_DEPLOYER } from '../../../src/eth/user-operation';
import { TO } from '../../support/transactions';

const INIT_CODE: Hex = `0x6001600c60003960016000f300${'ab'.repeat(100)}`;
const SALT: Hex = `0x${'00'.repeat(30)}beef`;

describe('a contract creation through the deployer', () => {
  it.each<[Hex, Hex]>([
    [SALT, INIT_CODE],
    [`0x${'ff'.repeat(32)}`, '0x00'],
  ])('has the address that viem computes (salt %s)', (salt, bytecode) => {
    const data: Hex = `${salt}${bytecode.slice(2)}`;
    const expected = getContractAddress({
      opcode: 'CREATE2',
      from: DETERMINISTIC_DEPLOYER,
      salt,
      bytecode,
    });
    expect(computeDeployment({ to: DETERMINISTIC_DEPLOYER, data })).toStrictEqual({
      address: expected.toLowerCase(),
      salt,
    });
  });

  it('is the same however its hex is written', () => {
    const data: Hex = `${SALT}${INIT_CODE.slice(2)}`;
    const plain = computeDeployment({ to: DETERMINISTIC_DEPLOYER, data });
    const to = DETERMINISTIC_DEPLOYER.toLowerCase() as Hex;
    const capitals: Hex = `0x${data.slice(2).toUpperCase()}`;
    expect(computeDeployment({ to, data: capitals })).toStrictEqual(plain);
  });

  it.each<[string, Hex, Hex]>([
    ['for another contract', TO, `${SALT}${INIT_CODE.slice(2)}`],
    ['without init code', DETERMINISTIC_DEPLOYER, SALT],
    ['with a part of a salt', DETERMINISTIC_DEPLOYER, '0xbeef'],
    ['without data', DETERMINISTIC_DEPLOYER, '0x'],
  ])('is not a call %s', (_what, to, data) => {
    expect(computeDeployment({ to, data })).toBeUndefined();
  });
});
