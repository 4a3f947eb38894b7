// Account keys, derived with ethers alone. docs/security/keys.md publishes these vectors, and users
// who recover their accounts rely on paths that never change.
import { pathOf, recover } from '../../dev/recover/derive';
import { proxies } from '../../dev/stack/proxies';
import { canonicalContracts, computeAccountAddress } from '../../src/eth/smart-account';

const PHRASE = 'test test test test test test test test test test test junk';
const derivation = { snapId: 'npm:tollkeeper-snap', index: 0 };

it('derives an ordinary account', () => {
  expect(pathOf(derivation)).toBe(
    "m/1399742832'/671186730'/1945595534'/1678000741'/458202590'/784693908'/1447176003'/494479684'/81052081'",
  );
  expect(recover(PHRASE, derivation)).toStrictEqual({
    privateKey: '0xefd69fde076c750be0280b5c83ed5c61970a4eeed6e1becc2adbcbd81ed171be',
    address: '0xae222F63Ca202b9F9cEF45B6F2202a60eBAFCa04',
  });
});

it.each([
  [
    '0.6',
    '0xea723aeb00b1c0044e211c7ecc83c1ce1cafc4d1cc53bc6ae60c87afcca4f025',
    '0xbb40c0a8ae4bd7172f98459362156a9ef444e73f',
  ],
  [
    '0.7',
    '0xa541d6f7493e0d7d1663158ff62e23a678e1f8ef9f97e769439abbf73e60d2f4',
    '0x782ffb1db958ec6eeae7d18073fa019335b52a03',
  ],
  [
    '0.8',
    '0xd99d3058873aee7c51b64352bd84b7ee474c2a0a7d8251f2f97277650cbd0acf',
    '0xc4b46b45bb2b471bbf11ab9780e1519175903b21',
  ],
  [
    '0.9',
    '0xda1f79b60858c80f46ae694e00ec9f0e3aaeab070e6e35bb6def6d39cdd24efd',
    '0x2e0a2d5f7b281dc22c14e5a86fb0f274bed3701b',
  ],
  [
    'safe',
    '0x25a8e00af3638ba77cfca79112a18e334c003c51f4ff99e0bdd8ea0974c800a7',
    '0xf227ec410f9b3bd0723a26f398de1361ee17874e',
  ],
] as const)('derives a smart account: %s', (kind, key, account) => {
  const contract = canonicalContracts.find(
    ({ implementation, entryPoint }) => (implementation ?? entryPoint) === kind,
  ) as (typeof canonicalContracts)[number];
  const { privateKey, address } = recover(PHRASE, { ...derivation, ...contract });
  const owner = address.toLowerCase() as `0x${string}`;
  expect(privateKey).toBe(key);
  expect(computeAccountAddress({ ...contract, owner, salt: 0n }, proxies)).toBe(
    account,
  );
});
