import { pathToFileURL } from 'node:url'
import {
  type Annotations,
  canonicalUri,
  type EmbeddedResource,
  type Resource,
} from '@toolblocks/protocol'
import { filePath } from './file-path.ts'
import { readBytes, readFileBytes } from './read-bytes.ts'

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

async function readResponse(response: Response, { mimeType }: ResourceOptions): Promise<Resource> {
  const { url, ok, status, statusText, body, headers } = response
  if (!ok) throw new Error(`${url} answered ${status}${statusText && ` ${statusText}`}`)
  const [said = ''] = (headers.get('Content-Type') ?? '').split(';')
  const { readContent } = await import('./read-content.ts')
  const bytes = body ? await readBytes(body, url) : new Uint8Array()
  const content = readContent(bytes, mimeType ?? (said.trim() === '' ? undefined : said.trim()))
  return { uri: canonical(url), ...content, ...(mimeType && { mimeType }) }
}

function canonical(uri: string): string {
  const named = canonicalUri(uri, process.cwd())
  return named.ok ? named.uri : uri
}
