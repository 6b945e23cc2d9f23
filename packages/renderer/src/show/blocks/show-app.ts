import type { ToolResult } from '@toolblocks/protocol'
import type { ShownPart } from '../shown-part.ts'
import { field } from '../values/views/data-fields.ts'

/** The page that a server offers for a result (MCP Apps), as a link: nothing here opens it. */
export function showApp({ _meta }: ToolResult): readonly ShownPart[] {
  const uri = field(field(_meta, 'ui'), 'resourceUri')
  if (typeof uri !== 'string' || uri === '') return []
  return [{ kind: 'link', name: 'app', uri, facts: ['a page of the server, not opened', uri] }]
}
