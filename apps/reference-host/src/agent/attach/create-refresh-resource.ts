import { createErrorResult, createSuccessResult, type Tool } from '@toolblocks/protocol'
import { resource } from '@toolblocks/tool-sdk'

/** Makes the tool with which a model reads an attached file as it is by now. `attached` gives the uris of all files that people have attached. */
export function createRefreshResource(attached: () => ReadonlySet<string>): Tool {
  return {
    name: 'refresh_resource',
    title: 'Read an attached file again',
    summary:
      'Read a file that the user has attached, as it is now: what you were given is how it was then.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'As it was attached.' } },
      required: ['uri'],
      additionalProperties: false,
    },
    execute: async ({ arguments: { uri } }) => {
      if (typeof uri !== 'string' || !attached().has(uri)) {
        const known = [...attached()].join(', ') || 'none'
        return createErrorResult(`Only what the user has attached can be read again: ${known}.`)
      }
      try {
        return createSuccessResult([await resource(new URL(uri))])
      } catch (error) {
        return createErrorResult(error instanceof Error ? error.message : String(error))
      }
    },
  }
}
