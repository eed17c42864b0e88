@echo off
rem A double click serves the house and opens the browser; closing this window ends it.
rem With words it is the command guinote: guinote.cmd backup D:\copia.guinote
title guinote
if not defined GUINOTE_DATA set "GUINOTE_DATA=%LOCALAPPDATA%\guinote\data"
if not exist "%~dp0Abrir Guinote.lnk" cscript //nologo "%~dp0program\shortcut.js" >nul 2>&1
"%~dp0program\python\python.exe" -X utf8 -m api.cli %*
if errorlevel 1 if "%~1"=="" pause
