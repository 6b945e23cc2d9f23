import {
  type Annotations,
  type EmbeddedResource,
  type ImageContent,
  MAX_OUTPUT_BYTES,
  type Resource,
  canonicalUri,
  formatByteSize,
} from '@toolblocks/protocol'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** How a resource is made, and what else is said of it. */
export interface ResourceOptions {
  /** What relative paths are relative to. Default: the current directory, which for a program is the workspace. */
  readonly root?: string
  /** Instead of the one that its name, its sender or its content gives. */
  readonly mimeType?: string
  readonly title?: string
  /** What a model gets instead of the host's formatting of the content. */
  readonly formatted?: string
  readonly annotations?: Annotations
}

/**
 * Makes a block of content that has a name: a file by its path or `file:` URL, what `fetch` gave, or a resource as it is. Files and responses are
 * text where their bytes are, else base64, and get their canonical uri. Rejects for what cannot be read, for an address that is no file's (give what `fetch` gave), for a response that is no
 * success, and for more than 16 MiB.
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
  if (source instanceof Response) return await readResponse(source, options)
  return options.mimeType === undefined ? source : { ...source, mimeType: options.mimeType }
}

async function readFile(
  source: string | URL,
  { root = process.cwd(), mimeType }: ResourceOptions,
): Promise<Resource> {
  const path = filePath(source, root)
  const { mimeTypeForPath } = await import('@toolblocks/media-type')
  const { readContent } = await import('./read-content.ts')
  const content = readContent(await readFileBytes(path), mimeType ?? mimeTypeForPath(path))
  return { uri: canonical(pathToFileURL(path).href), ...content, ...(mimeType && { mimeType }) }
}

/** The path of a file that is named by a path, or by its `file:` URL as a text or a `URL`. Throws for the address of anything else. */
function filePath(source: string | URL, root: string): string {
  const url = typeof source === 'string' ? urlIn(source) : source
  if (url === undefined) return resolve(root, String(source))
  if (url.protocol === 'file:') return fileURLToPath(url)
  throw new TypeError(
    `${url.href} is no file: expected a path or a file: URL; of other addresses, give what fetch gave`,
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
  const [said = ''] = (headers.get('Content-Type') ?? '').split(';')
  const { readContent } = await import('./read-content.ts')
  const bytes = body ? await readBytes(body, url) : new Uint8Array()
  const content = readContent(bytes, mimeType ?? (said.trim() === '' ? undefined : said.trim()))
  return { uri: canonical(url), ...content, ...(mimeType && { mimeType }) }
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

function canonical(uri: string): string {
  const named = canonicalUri(uri, process.cwd())
  return named.ok ? named.uri : uri
}

/** How a picture is read. */
export interface ImageOptions {
  /** What a relative path is relative to. Default: the current directory, which for a program is the workspace. */
  readonly root?: string
  /** Instead of the one that the first bytes give. */
  readonly mimeType?: string
  readonly annotations?: Annotations
}

/** Makes a block of a picture: of its bytes, or a file by its path or `file:` URL. Rejects for what is no picture and for more than 16 MiB. */
export async function image(
  source: string | Uint8Array,
  { root = process.cwd(), mimeType, annotations }: ImageOptions = {},
): Promise<ImageContent> {
  const bytes = typeof source === 'string' ? await readFileBytes(filePath(source, root)) : source
  const { sniffMimeType } = await import('@toolblocks/media-type')
  const type = mimeType ?? sniffMimeType(bytes)
  if (!type?.startsWith('image/')) {
    const what = typeof source === 'string' ? source : `the ${bytes.length} bytes given`
    throw new Error(`${what}: not a picture that is known by its first bytes; give its mimeType`)
  }
  return {
    type: 'image',
    data: Buffer.from(bytes).toString('base64'),
    mimeType: type,
    ...(annotations && { annotations }),
  }
}
