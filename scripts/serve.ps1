#Requires -Version 5.1
# Starts the service from this checkout; everything it needs is installed on the first start. In a Command Prompt:
#   powershell -ExecutionPolicy Bypass -File scripts\serve.ps1
# Plain ASCII, and no words that came after 5.1: that version travels with Windows.

$repo = Split-Path -Parent $PSScriptRoot
$venv = Join-Path $repo '.venv'
$constraints = Join-Path $repo 'constraints.txt'
if ($env:OS -eq 'Windows_NT') {
    $python = Join-Path $venv 'Scripts\python.exe'
    $fracas = Join-Path $venv 'Scripts\fracas.exe'
} else {
    $python = Join-Path $venv 'bin/python'
    $fracas = Join-Path $venv 'bin/fracas'
}
# What a program prints as an error does not end this script; its exit code does.
$ErrorActionPreference = 'Continue'

function Test-Python([string[]] $command) {
    # Windows has a python that only opens the Store; it fails here, like one that is too old.
    $options = @($command | Select-Object -Skip 1)
    try {
        & $command[0] @options -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>&1 | Out-Null
    } catch {
        return $false
    }
    return $LASTEXITCODE -eq 0
}

function Invoke-Quietly([string] $what, [string[]] $command) {
    Write-Host $what
    $options = @($command | Select-Object -Skip 1)
    $log = & $command[0] @options 2>&1
    if ($LASTEXITCODE -ne 0) {
        $log | ForEach-Object { Write-Host $_ }
        Write-Host "error: failed with exit code ${LASTEXITCODE}: $what"
        exit 1
    }
}

function Get-Fingerprint {
    # Changes whenever the installation would come out differently; the installed programs name their folder.
    $files = 'pyproject.toml', 'constraints.txt', 'service/fracas/__init__.py'
    $hashes = $files | ForEach-Object { (Get-FileHash -LiteralPath (Join-Path $repo $_)).Hash }
    return (@($venv) + $hashes) -join "`n"
}

$stamp = Join-Path $venv '.fracas-setup-ps1'
$installed = $null
if (Test-Path -LiteralPath $stamp) { $installed = (Get-Content -LiteralPath $stamp -Encoding UTF8) -join "`n" }

if ($installed -cne (Get-Fingerprint) -or -not (Test-Python @($python))) {
    $candidates = @(@('py', '-3'), @('python3'), @('python'))
    if ($env:PYTHON) { $candidates = @(, @($env:PYTHON)) + $candidates }
    $base = $null
    foreach ($candidate in $candidates) {
        if (Test-Python $candidate) { $base = $candidate; break }
    }
    if (-not $base) {
        Write-Host 'error: Python 3.11 or newer is needed (winget install Python.Python.3.13); set PYTHON to its path'
        exit 1
    }
    Invoke-Quietly 'Creating the virtual environment .venv' ($base + @('-m', 'venv', '--clear', $venv))
    Invoke-Quietly 'Installing fracas into .venv' @(
        $python, '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '-c', $constraints, '-e', $repo
    )
    Set-Content -LiteralPath $stamp -Encoding UTF8 -Value (Get-Fingerprint)
}

& $fracas serve @args
exit $LASTEXITCODE
