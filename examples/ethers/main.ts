// ethers: connect and sign a message.
import { BrowserProvider } from 'ethers';
import { createProvider } from 'tollkeeper-snap/provider';

import { onPress } from '../page';

const provider = new BrowserProvider(createProvider());

onPress(async () => {
  const signer = await provider.getSigner();
  return signer.signMessage('Hello from ethers');
});
