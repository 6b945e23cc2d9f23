import type { JsonObject, JsonSchema } from '@toolblocks/protocol'
import type { PropertyRule } from '../model/model-profile.ts'
import { anthropicProfile } from '../model/profiles.ts'
import type { RequestChange } from './request-change.ts'
import type { ToolNames } from './tool-names.ts'
import { toProviderTools } from './to-provider-tools.ts'

/** Returns a tool's schema for a provider with this rule for names. Paths of changes are in the schema. */
export function repairSchema(
  inputSchema: JsonSchema,
  parameters: PropertyRule,
  items?: 'needs items',
): { schema: JsonObject; names: ToolNames; changes: readonly RequestChange[] } {
  const profile = { ...anthropicProfile, parameters, needsItems: items !== undefined }
  const { tools, names, changes } = toProviderTools([{ name: 'x', inputSchema }], [], profile)
  const schema = tools[0]?.inputSchema
  if (!schema) throw new Error('the tool is missing')
  return {
    schema,
    names,
    changes: changes.map((change) => ({
      ...change,
      path: change.path.slice('/tools/0/inputSchema'.length),
    })),
  }
}
