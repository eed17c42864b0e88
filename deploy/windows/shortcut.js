// Makes the shortcut with the icon beside guinote.cmd; it may be dragged to the desktop.
var program = WScript.ScriptFullName.replace(/\\[^\\]+$/, "");
var folder = program.replace(/\\[^\\]+$/, "");
var link = new ActiveXObject("WScript.Shell").CreateShortcut(folder + "\\Abrir Guinote.lnk");
link.TargetPath = folder + "\\guinote.cmd";
link.WorkingDirectory = folder;
link.IconLocation = program + "\\guinote.ico,0";
link.WindowStyle = 1;
link.Save();
