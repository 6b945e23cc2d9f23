import type { UnavailableTool } from '../../workspace/tools/unavailable-tool.ts'
import type { ServiceOptions } from './create-service.ts'

/** Describes the tools that wait for a decision, for the client's model, which can tell its user. */
export function describeWaiting(
  left: readonly UnavailableTool[],
  root: string,
): Pick<ServiceOptions, 'instructions'> {
  const count = left.filter(({ reason }) => reason === 'waiting').length
  if (count === 0) return {}
  // Their names come from the folder, so no model reads them before the user agrees.
  return {
    instructions: `${count} of the tools and servers of this folder are not available, because the user has not agreed to them. To agree, the user runs "toolblocks trust" in a terminal in ${JSON.stringify(root)}, and then restarts this server.`,
  }
}
