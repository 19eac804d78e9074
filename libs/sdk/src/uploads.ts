/** A file to upload: a Blob or File, bytes (also a Node Buffer), or a stream of bytes (web or Node). */
export type Upload = Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Converts a file to a form value. A stream is first read to its end: repeated requests need the bytes again, browsers
 * cannot send streams, and uploads of this API are limited in size.
 */
export async function blobOf(upload: Upload): Promise<Blob> {
  if (upload instanceof Blob) return upload;
  if (upload instanceof ArrayBuffer) return new Blob([upload]);
  if (ArrayBuffer.isView(upload)) return new Blob([copyOf(upload)]);
  const parts: ArrayBuffer[] = [];
  if (upload instanceof ReadableStream) {
    const reader = upload.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(copyOf(next.value));
  } else {
    for await (const bytes of upload) parts.push(copyOf(bytes));
  }
  return new Blob(parts);
}

/** Whether an argument's value is a file. Other values are, for example, texts, numbers and lists. */
export function isUpload(value: unknown): value is Upload {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value instanceof Blob ||
      value instanceof ArrayBuffer ||
      ArrayBuffer.isView(value) ||
      Symbol.asyncIterator in value ||
      value instanceof ReadableStream)
  );
}

/** Copies the bytes, because a Blob does not accept views of shared or resizable memory. */
function copyOf(view: ArrayBufferView): ArrayBuffer {
  const copy = new Uint8Array(view.byteLength);
  copy.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy.buffer;
}
