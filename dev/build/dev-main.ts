// npm run build:dev.
import { DEV_SNAP } from '../wallet/options';
import { buildDevSnap } from './build';
import { describeSize } from './size';

await buildDevSnap();
const bundle = `${DEV_SNAP}/dist/bundle.js`;
process.stdout.write(`${bundle}: ${await describeSize(bundle)}\n`);
