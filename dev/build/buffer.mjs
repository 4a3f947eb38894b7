// eth-sig-util takes Buffers: in pages there are none.
export { Buffer } from 'buffer';
