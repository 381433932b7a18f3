import type { Tool, ToolContext } from '../core/tools/tool.ts';

/** Anything that works in one folder: a path guard, a sandbox. */
export interface PerWorkspace<Place> {
  /** Of the whole workspace: what the tool is described by. */
  readonly whole: Place;
  readonly find: (principal: string) => Promise<Place>;
}

/** A tool that works in the folder of whoever its call is made for. */
export function perWorkspace<Place>(
  { whole, find }: PerWorkspace<Place>,
  create: (place: Place) => Tool,
): Tool {
  const tool = create(whole);

  async function toolOf({ principal }: Pick<ToolContext, 'principal'>): Promise<Tool> {
    const place = await find(principal);
    return place === whole ? tool : create(place);
  }

  return {
    ...tool,
    ...(tool.aims && { aims: async (input, ctx) => (await toolOf(ctx)).aims?.(input, ctx) ?? [] }),
    execute: async (input, ctx) => (await toolOf(ctx)).execute(input, ctx),
  };
}
