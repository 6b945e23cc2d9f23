import { workspacePath, type Resource } from '@toolblocks/protocol'
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

/** The lines a fragment such as `#L10`, `#L10-20` or `#L10-L20` names. */
function lineRange(uri: string): string | undefined {
  const [, first, last] = /#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(uri) ?? []
  if (first === undefined) return undefined
  return last === undefined || last === first ? `line ${first}` : `lines ${first}-${last}`
}
