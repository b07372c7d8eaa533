/**
 * Polyfill of `ArrayBuffer.prototype.transferToFixedLength`, which the PDF library needs and Node has since version 21.
 */

const buffers = ArrayBuffer.prototype as { transferToFixedLength?: (length?: number) => ArrayBuffer }

buffers.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
  const copy = new Uint8Array(length)
  copy.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)))
  return copy.buffer
}
