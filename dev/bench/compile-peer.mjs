// Writes what `hardhat compile` would for MetaMask's account-abstraction keyring, with the
// solc and typechain that are installed beside it: artifacts/ and src/types/. Hardhat
// downloads its compiler. Run in that snap's folder: node PATH/compile-peer.mjs
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const require = createRequire(resolve('package.json'));
const solc = require('solc');
const { glob, runTypeChain } = require('typechain');

const paths = [
  'contracts/core/EntryPoint.sol',
  'contracts/samples/SimpleAccount.sol',
  'contracts/samples/SimpleAccountFactory.sol',
  'contracts/samples/VerifyingPaymaster.sol',
];

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(path, 'utf8') }]),
  ),
  settings: {
    // As in its hardhat.config.ts.
    optimizer: { enabled: true, runs: 1000 },
    outputSelection: {
      '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
    },
  },
};

function findImport(path) {
  const found = [path, join('node_modules', path)].find((each) => existsSync(each));
  return found ? { contents: readFileSync(found, 'utf8') } : { error: 'not found' };
}

const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));
const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (errors.length > 0) {
  throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
}
for (const [sourceName, contracts] of Object.entries(output.contracts)) {
  for (const [contractName, { abi, evm }] of Object.entries(contracts)) {
    const path = join('artifacts', sourceName, `${contractName}.json`);
    mkdirSync(dirname(path), { recursive: true });
    const bytecode = `0x${evm.bytecode.object}`;
    const deployedBytecode = `0x${evm.deployedBytecode.object}`;
    const artifact = { contractName, sourceName, abi, bytecode, deployedBytecode };
    writeFileSync(path, JSON.stringify(artifact));
  }
}
const cwd = process.cwd();
const allFiles = glob(cwd, ['artifacts/**/*.json']);
const types = { outDir: 'src/types', target: 'ethers-v6' };
await runTypeChain({ cwd, filesToProcess: allFiles, allFiles, ...types });
