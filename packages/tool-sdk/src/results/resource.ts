import { requireArguments, MAX_OUTPUT_BYTES, formatByteSize } from '@toolblocks/protocol/internal'
import {
  type Annotations,
  type AudioContent,
  type EmbeddedResource,
  type ImageContent,
  type Resource,
} from '@toolblocks/protocol'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** How a resource is read, and what it is called. */
export interface ResourceOptions {
  /** The folder that a relative path starts from. Default: the current directory, which is the workspace in a program. */
  readonly root?: string
  /** Default: the type that the name, the sender or the content shows. */
  readonly mimeType?: string
  /** A name for people. Default: the host shows the uri. */
  readonly title?: string
  /** What a model gets. Default: the host puts the content into a code block. */
  readonly formatted?: string
  /** MCP's hints about the block: audience, priority, time of the last change. */
  readonly annotations?: Annotations
}

/**
 * Makes a block of content that has a uri: a file by its path or `file:` URL, the `Response` of a `fetch`, or a `Resource`. Bytes that are text become `text`,
 * others `blob` in base64. Rejects where a file cannot be read, a URL is not a `file:` URL (pass the `Response` of a `fetch` instead), a response is not
 * successful, or the content has more than 16 MiB.
 */
export async function resource(
  source: string | URL | Response | Resource,
  options: ResourceOptions = {},
): Promise<EmbeddedResource> {
  const { formatted, annotations, title } = options
  const read = await readResource(source, options)
  return {
    type: 'resource',
    resource: { ...read, ...(title !== undefined && { title }) },
    ...(formatted !== undefined && { formatted }),
    ...(annotations && { annotations }),
  }
}

async function readResource(
  source: string | URL | Response | Resource,
  options: ResourceOptions,
): Promise<Resource> {
  if (typeof source === 'string' || source instanceof URL) return await readFile(source, options)
  if (isResponse(source)) return await readResponse(source, options)
  return options.mimeType === undefined ? source : { ...source, mimeType: options.mimeType }
}

async function readFile(
  source: string | URL,
  { root = process.cwd(), mimeType }: ResourceOptions,
): Promise<Resource> {
  const path = filePath(source, root)
  const { mimeTypeForPath } = await import('@toolblocks/media-type')
  const { readContent, toCanonicalUri } = await import('./read-content.ts')
  const content = readContent(await readFileBytes(path), mimeType ?? mimeTypeForPath(path))
  return {
    uri: toCanonicalUri(pathToFileURL(path).href),
    ...content,
    ...(mimeType && { mimeType }),
  }
}

/** The path of a file that is named by a path, or by its `file:` URL as a text or a `URL`. Throws for the address of anything else. */
function filePath(source: string | URL, root: string): string {
  const url = typeof source === 'string' ? urlIn(source) : source
  if (url === undefined) return resolve(root, String(source))
  if (url.protocol === 'file:') return fileURLToPath(url)
  throw new TypeError(
    `expected a path or a file: URL, got ${url.href}; pass await fetch(…) for other URLs`,
  )
}

/** A text with a scheme is an address; one letter is a drive. */
function urlIn(source: string): URL | undefined {
  const isAddress = /^(?:file:|[a-z][a-z0-9+.-]+:\/\/)/i.test(source)
  return isAddress && URL.canParse(source) ? new URL(source) : undefined
}

/** Reads a whole file. Throws where it is more than a result may hold, or cannot be read. */
async function readFileBytes(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    return await readBytes(file.createReadStream({ autoClose: false }), path)
  } finally {
    await file.close()
  }
}

async function readResponse(response: Response, { mimeType }: ResourceOptions): Promise<Resource> {
  const { url, ok, status, statusText, body, headers } = response
  if (!ok) throw new Error(`${url} answered ${status}${statusText && ` ${statusText}`}`)
  const [contentType = ''] = (headers.get('Content-Type') ?? '').split(';')
  const { readContent, toCanonicalUri } = await import('./read-content.ts')
  const bytes = body ? await readBytes(body, url) : new Uint8Array()
  const content = readContent(
    bytes,
    mimeType ?? (contentType.trim() === '' ? undefined : contentType.trim()),
  )
  return { uri: toCanonicalUri(url), ...content, ...(mimeType && { mimeType }) }
}

/** Collects bytes up to what a result may hold, and throws for more; `name` is for the error. */
async function readBytes(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_OUTPUT_BYTES)
      throw new Error(
        `${name} has more than ${formatByteSize(MAX_OUTPUT_BYTES)}, which is all that a result may hold; give a part of it`,
      )
    read.push(chunk)
  }
  return Buffer.concat(read)
}

/** How a picture or a recording is read. */
export interface MediaOptions {
  /** The folder that a relative path starts from. Default: the current directory, which is the workspace in a program. */
  readonly root?: string
  /** Default: the type that the first bytes show. */
  readonly mimeType?: string
  /** MCP's hints about the block: audience, priority, time of the last change. */
  readonly annotations?: Annotations
}

/**
 * Makes a block of a picture from its bytes, or from a file by its path or `file:` URL. Rejects where the file cannot be read, has more than 16 MiB, or is
 * not a picture.
 */
export async function image(
  source: string | URL | Uint8Array,
  options: MediaOptions = {},
): Promise<ImageContent> {
  return { type: 'image', ...(await readMedia(source, options, ['image', 'picture'])) }
}

/**
 * Makes a block of a recording from its bytes, or from a file by its path or `file:` URL. Rejects where the file cannot be read, has more than 16 MiB, or is
 * not a recording.
 */
export async function audio(
  source: string | URL | Uint8Array,
  options: MediaOptions = {},
): Promise<AudioContent> {
  return { type: 'audio', ...(await readMedia(source, options, ['audio', 'recording'])) }
}

async function readMedia(
  source: string | URL | Uint8Array,
  { root = process.cwd(), mimeType, annotations }: MediaOptions,
  [family, word]: readonly [family: string, word: string],
): Promise<Pick<ImageContent, 'data' | 'mimeType' | 'annotations'>> {
  const isFile = typeof source === 'string' || source instanceof URL
  if (!isFile) requireArguments(`${family}(source, …)`, [source, 'bytes'])
  const bytes = isFile ? await readFileBytes(filePath(source, root)) : source
  const { sniffMimeType } = await import('@toolblocks/media-type')
  const type = mimeType ?? sniffMimeType(bytes)
  if (type?.startsWith(`${family}/`) !== true) {
    const what = isFile ? String(source) : `the ${bytes.length} bytes given`
    const got = type === undefined ? 'bytes of an unknown type' : type
    throw new Error(
      `${what}: expected a ${word}, got ${got}; if it is a ${word}, give its mimeType, which begins with "${family}/"`,
    )
  }
  return {
    data: Buffer.from(bytes).toString('base64'),
    mimeType: type,
    ...(annotations && { annotations }),
  }
}

/** Whether a value is a response of `fetch`. A library may have replaced the global class, as servers for Node.js do. */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}
