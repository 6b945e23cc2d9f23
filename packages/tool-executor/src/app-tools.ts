import { type ToolDefinition, isJsonObject } from '@toolblocks/protocol'

/** Whether a tool is only for pages of its server (`_meta.ui.visibility` of MCP Apps has no `model`): a model must not see it. */
export function isForAppsOnly({ _meta }: Pick<ToolDefinition, '_meta'>): boolean {
  const ui = _meta?.['ui']
  const visibility = isJsonObject(ui) ? ui['visibility'] : undefined
  return Array.isArray(visibility) && !visibility.includes('model')
}
