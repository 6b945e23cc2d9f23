import { getErrorText } from '@toolblocks/protocol/internal'
import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { StoredEvent } from '@toolblocks/conversation-store'
import {
  type ContentBlock,
  type Tool,
  createErrorResult,
  createSuccessResult,
} from '@toolblocks/protocol'
import { image, resource } from '@toolblocks/tool-sdk'
import { explainRead } from '../../workspace/files/explain-read.ts'

/** The content block of a file as it is now, or why it cannot be attached. */
type AttachedFile = { ok: true; block: ContentBlock } | { ok: false; message: string }

/** Reads a file as a content block: a picture as an image, any other file as a resource with its URI. */
export async function attachFile(root: string, path: string): Promise<AttachedFile> {
  try {
    const block = await image(path, { root }).catch(async () => await resource(path, { root }))
    return { ok: true, block }
  } catch (error) {
    return { ok: false, message: `${path} ${explainRead(error)}` }
  }
}

/** Returns the URIs of the files that people have attached. */
export function attachedFiles(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ event }) => (event.type === 'user_message' ? getFiles(event.content) : [])),
  )
}

/** Returns the URIs of the files in a message. */
export function getFiles(content: readonly ContentBlock[]): readonly string[] {
  return content.flatMap((block) =>
    block.type === 'resource' && block.resource.uri.startsWith('file:') ? [block.resource.uri] : [],
  )
}

/** Creates the tool with which a model reads the current content of an attached file. `attached` returns the URIs of all attached files. */
export function createRefreshResource(attached: () => ReadonlySet<string>): Tool {
  return {
    name: 'refresh_resource',
    title: 'Read an attached file again',
    summary:
      'Read the current content of a file that the user has attached. The content in the conversation is from the time when it was attached.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string', description: 'The uri of the file, exactly as in the attachment.' },
      },
      required: ['uri'],
      additionalProperties: false,
    },
    execute: async ({ arguments: { uri } }) => {
      if (typeof uri !== 'string' || !attached().has(uri)) {
        const known = [...attached()].join(', ') || 'none'
        return createErrorResult(
          `Only files that the user has attached can be read again: ${known}.`,
        )
      }
      try {
        return createSuccessResult([await resource(new URL(uri))])
      } catch (error) {
        return createErrorResult(getErrorText(error))
      }
    },
  }
}

/** Reads a path as a person types it: in quotes, with `\` before a space, or with `~` for the home folder. */
export function readTypedPath(typed: string): string {
  const [, , quoted] = /^(["'])(.*)\1$/.exec(typed.trim()) ?? []
  return fromHome(quoted ?? typed.trim().replaceAll(/\\(.)/g, '$1'))
}

/** Completes such a path for readline: returns the candidates, and the text that they replace. */
export function completeTypedPath(typed: string, root: string): [string[], string] {
  const [, quote = '', rest = ''] = /^(["']?)(.*)$/.exec(typed) ?? []
  const path = quote === '' ? rest.replaceAll(/\\(.)/g, '$1') : rest
  const cut = path.lastIndexOf('/') + 1
  const [folder, begun] = [path.slice(0, cut), path.slice(cut)]
  try {
    const names = readdirSync(resolve(root, fromHome(folder)), { withFileTypes: true })
    const entries = names
      .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')))
      .map((each) => ({ name: folder + each.name, end: each.isDirectory() ? '/' : quote }))
    const write = (name: string): string =>
      quote === '' ? name.replaceAll(/[\s\\'"]/g, '\\$&') : quote + name
    return [entries.map(({ name, end }) => write(name) + end), typed]
  } catch {
    return [[], typed]
  }
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
