import { unsupportedMediaType } from './status.ts';

/** Starts every protobuf body of Kubernetes (apimachinery `pkg/runtime/serializer/protobuf`). */
const MAGIC = Buffer.from('k8s\0');

export const isProtobuf = (body: Buffer): boolean => body.subarray(0, MAGIC.length).equals(MAGIC);

/** The object inside the envelope (`runtime.Unknown`). */
export const messageOf = (body: Buffer): Buffer =>
  protobufFields(body.subarray(MAGIC.length)).get(2) ?? Buffer.alloc(0);

export const textOf = (field: Buffer | undefined): string => field?.toString() ?? '';

/** Texts and messages of one message by field number, the last of each; numbers are skipped. Throws 415. */
export function protobufFields(message: Buffer = Buffer.alloc(0)): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      if (byte === undefined || shift > 28) throw unsupportedMediaType();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const kind = key & 7;
    if (kind !== 0 && kind !== 2) throw unsupportedMediaType();
    const value = varint();
    if (kind === 0) continue;
    fields.set(key >> 3, message.subarray(at, at + value));
    at += value;
  }
  return fields;
}
