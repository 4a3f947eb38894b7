// npm run build:dev
import { readArgs } from '../args';
import { step } from '../demo/print';
import { DEV_SNAP } from '../wallet/options';
import { buildDevSnap } from './build';
import { describeSize } from './size';

readArgs(`npm run build:dev

Builds the development snap.`);

await step('Build the development snap', buildDevSnap);
const bundle = `${DEV_SNAP}/dist/bundle.js`;
process.stdout.write(`${bundle}: ${await describeSize(bundle)}\n`);
