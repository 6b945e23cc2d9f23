import { lineRange, workspacePath, type Resource } from '@toolblocks/protocol'
import { oneLine } from '../one-line.ts'

/** Names a resource in one line: title, else name, else path in the workspace, else uri; and its lines. */
export function resourceHeader(resource: Resource, root: string | undefined): string {
  const path = root === undefined ? undefined : workspacePath(resource.uri, root)
  const name = [resource.title, resource.name, path, resource.uri].find(isShown) ?? ''
  const lines = lineRange(resource.uri)
  return `Resource ${oneLine(name)}${lines === undefined ? '' : ` (${lines})`}:`
}

function isShown(text: string | undefined): text is string {
  return text !== undefined && oneLine(text) !== ''
}
