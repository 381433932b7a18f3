/**
 * Names that scripts and people bring from other agents, for the inventory and for direct calls. Models never see them,
 * and a grant or a rule that names one means nothing: those speak of tools by their own names.
 */
export const FAMILIAR_TOOL_NAMES: Readonly<Record<string, readonly string[]>> = {
  'agent.message.send': ['SendMessageTool'],
  'code.search': ['GrepTool', 'grep_search', 'Grep'],
  'fs.edit': ['FileEditTool', 'edit_file', 'Edit'],
  'fs.glob': ['GlobTool', 'glob_search', 'Glob'],
  'fs.list': ['LSTool', 'LS'],
  'fs.read': ['FileReadTool', 'read_file', 'Read'],
  'fs.write': ['FileWriteTool', 'write_file', 'Write'],
  'http.request': ['WebFetchTool', 'WebFetch'],
  'run.cancel': ['TaskStopTool', 'TaskStop'],
  'run.get': ['TaskGetTool', 'TaskGet'],
  'run.list': ['TaskListTool', 'TaskList'],
  'scheduler.add': ['CronCreateTool', 'CronCreate'],
  'scheduler.list': ['CronListTool', 'CronList'],
  'scheduler.remove': ['CronDeleteTool', 'CronDelete'],
  'shell.exec': ['BashTool', 'Bash'],
};
