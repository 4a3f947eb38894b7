// eth_signTypedData [address, [{ type, name, value }, …]]: the first name of
// eth_signTypedData_v1, which dapps still use.
import { version1 } from './eth_signTypedData_v1';
import { defineTypedDataMethod } from './typed-data';

/** Signs a list of values. */
export const ethSignTypedData = defineTypedDataMethod({
  ...version1,
  name: 'eth_signTypedData',
  isForDapps: true,
});
