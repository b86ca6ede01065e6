# SPDX-License-Identifier: Apache-2.0
# Which tests have a label of their own, by folder and GoogleTest's patterns. All others have the
# name of their folder. CMakePresets.json says which labels a build runs.

# <folder>.slow: comparisons of engines, statistics, promises of memory, models at the limits of size.
# They look at what is computed, not at how memory is used while it is: once is enough, without a
# sanitizer.
set(PANOPTES_SLOW_TESTS
    argos.Limits.Hold*
    argos.Parser.RefusesMoreTokens*
    argos.Preprocessor.StopsMacrosThatDouble
    ask.Spaces.*
    cli.*MemoryPromise.*
    cli.BackwardCommand.HasTimeLeft*
    cli.BackwardCommand.IsConfirmed*
    cli.FormatCommand.RefusesMoreTokens*
    cli.Macros.ThatDoubleThemselves*
    cli.ShortModels.*
    cli.ShowOutput.IsRefusedWhereItWouldTake*
    cli.Trails.OfEveryModel*
    cli.WholeRun.KeepsTenThousandErrors*
    cli.WholeRun.KeepsTheSameErrorsForAnyNumberOfThreads
    cli.WholeRun.RefusesAssertionsThatAreTooLargeTogether
    cluster.ChosenPart.KeepsMost*
    docs.DocumentedCommands.*
    docs.DocumentedFields.*
    models.*WrittenTwice.*
    models.LinkControl.*
    relate.ErrorRows.AreFoundByEveryEngine
    relate.ExtendedAutomata.A*
    relate.ExtendedAutomata.FailWhere*
    relate.ExtendedAutomata.KeepValues*
    relate.Models.*
    relate.RandomProtocols.*
    relate.RareProtocols.*
    reports.Reports.OfEveryModel*
    reports.Sarif.*TrailThatIsTooLong
    relate.TwoProcesses.*
    search.*EveryModel*
    search.Cache.OfA*
    search.*CoverageOf.*
    search.BiasedWalk.*
    search.Cycles.OfALongPath*
    search.Auto.HasNoMoreErrorsThanThereIsRoomFor
    search.Choosing.Finds*
    search.Choosing.WithoutDropping*
    search.*Resumed.*/Spilled*
    search.EstimatedStates.*
    search.LittleMemory.DropsWhat*
    search.LittleMemory.IsAPartialSearch*
    search.LittleMemory.IsNoReason*
    search.Runs.FindTogether*
    search.Coverage.OfVeryLittle*
    search.StackSearch.*
    search.Supertrace.*TheorySays
    show.Graphs.OfEveryModel*
    show.Holes.AreWhatCheckReports*
    step.Indivisible.ASequenceOfVeryMany*
    step.Interpreter.KeepsMessagesInOrderHowever*
    store.*MissesAsMany*
    store.*SixteenBytes
    store.*WhereThereIsRoom*
    store.CompactTable.IsNearTheLeast*
    search.TrailLog.FindsTheOrigin*
    temporal.Spin.*
    temporal.Translation.Accepts*
    temporal.Translation.PlantedFaults*
    verdict.Causality.*Exchanged*
    verdict.Causality.LetsEverything*
    verdict.MakeReports.ReplaysAMillionSteps*)

# <folder>.words: what the program says to people who use it as they should. What makes those words
# has tests of its own under a sanitizer every day; these are for the long run there.
set(PANOPTES_WORDS_TESTS
    cli.ASimulation.*
    cli.Coverage.*
    cli.Definitions.*
    cli.ExitCodes.*
    cli.Explain.*
    cli.Invariants.*
    cli.Labels.*
    cli.Names.*
    cli.Options.*
    cli.Progress.*
    cli.Replay.*
    cli.Sweep.*
    cli.Usage.*
    cli.Watch.*
    cli.Width.*)

# <folder>.threads: threads meet in them, so the thread sanitizer looks at them.
set(PANOPTES_THREADS_TESTS
    api.*Threads*
    cluster.*Threads*
    search.*Threads*
    store.*Threads*
    transport.*Threads*)

# Folders whose tests each have a process of their own whatever the build, since they measure
# children: what their own process once took would count for those.
set(PANOPTES_MEASURING_FOLDERS cli)

# Folders whose tests need the generator of random protocols.
set(PANOPTES_RANDOM_TEST_FOLDERS ask differential docs ranks relate reversed show)

# What tests of a folder use beside the engine.
set(PANOPTES_TEST_USES_reversed panoptes_backward)

# Folders whose tests run one after the other in one process whatever the build, since they share
# what takes long to make.
set(PANOPTES_SHARING_FOLDERS install)

# Folders with tests that take so long that the others would be over before them, if they did not begin
# first.
set(PANOPTES_LONG_FOLDERS cube docs install models resume search store)
